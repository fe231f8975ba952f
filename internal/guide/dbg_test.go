package guide_test
import "testing"
func TestDbg(t *testing.T){ h,cfg:=gym(t); _=cfg
 for _,x:=range []string{"take me to the leads board","leads board"} { r:=h.ask(t,"en",x); t.Logf("%q %v %v",r.Text,r.Links,r.Notes)}
 for _,x:=range []string{"הראה לי את הלידים הפתוחים"} { r:=h.ask(t,"he",x); t.Logf("%q %v %v",r.Text,r.Links,r.last())}
}
