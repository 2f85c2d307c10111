package client

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"fmt"
	"io"
	"strings"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"

	"benchfolio.dev/native/wire"
)

const (
	// mostEncodings is how many encodings a body may have: what is decoded may hold itself.
	mostEncodings = 4
	// mostWindow is the window that a decoder has to support, and no more: RFC 8878, 3.1.1.1.2.
	mostWindow = 8 << 20
)

// Body is that of the last answer, if it was read, without the encodings that the header Content-Encoding names. Like k6, it
// leaves those that it does not know.
func (c *Client) Body() ([]byte, error) {
	response := &c.Response
	encodings, there := response.Header("Content-Encoding")
	if !there || len(response.Body) == 0 {
		return response.Body, nil
	}
	body := response.Body
	names := strings.Split(encodings, ",")
	if len(names) > mostEncodings {
		return nil, fmt.Errorf("its body has %d encodings, and %d are read", len(names), mostEncodings)
	}
	for i := len(names) - 1; i >= 0; i-- {
		name := strings.TrimSpace(names[i])
		reader, err := decoder(name, bytes.NewReader(body))
		if err == nil && reader != nil {
			body, err = io.ReadAll(io.LimitReader(reader, wire.MostBody+1))
		}
		if err != nil {
			return nil, fmt.Errorf("error decompressing response body (%s): %w", name, err)
		}
		if len(body) > wire.MostBody {
			return nil, fmt.Errorf("its body has more than %d bytes when it is decompressed", wire.MostBody)
		}
	}
	return body, nil
}

func decoder(name string, from io.Reader) (io.Reader, error) {
	switch strings.ToLower(name) {
	case "gzip":
		return gzip.NewReader(from)
	case "deflate":
		return zlib.NewReader(from)
	case "br":
		return brotli.NewReader(from), nil
	case "zstd":
		reader, err := zstd.NewReader(from, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(mostWindow))
		if err != nil {
			return nil, err
		}
		return reader.IOReadCloser(), nil
	}
	return nil, nil
}
