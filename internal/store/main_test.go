package store_test

import (
	"os"
	"testing"

	"github.com/steward-assistant/steward/internal/store/storetest"
)

func TestMain(m *testing.M) { os.Exit(storetest.Main(m)) }
