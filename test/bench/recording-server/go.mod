module benchfolio.dev/recording-server

go 1.25.0
