# syntax=docker/dockerfile:1
FROM golang:1.26 AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
RUN CGO_ENABLED=0 go build -trimpath -ldflags '-s -w' -o /steward ./cmd/steward

FROM scratch
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/
COPY --from=build /steward /steward
USER 65532:65532
WORKDIR /data
EXPOSE 8080
ENTRYPOINT ["/steward"]
CMD ["serve", "--config", "/data/steward.yaml", "--addr", ":8080"]
