package native

import (
	"crypto/tls"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/net/http/httpproxy"

	"go.k6.io/k6/v2/lib"

	"benchfolio.dev/native/plan"
	"benchfolio.dev/native/player"
	"benchfolio.dev/native/rows"
)

// optionsOf takes what requests depend on from k6's options.
//
// It fails for options that only the JavaScript player knows: a load without them would be another than was asked for.
func optionsOf(state *lib.ExecutionState, load *plan.Load, read rows.Reader) (*player.Options, error) {
	options := state.Test.Options
	if err := refuseUnknown(options); err != nil {
		return nil, err
	}
	if err := refuseProxy(load.BaseURL); err != nil {
		return nil, err
	}
	config, err := tlsOf(options)
	if err != nil {
		return nil, err
	}
	if refusesHTTP2(state.Test.LookupEnv) {
		config.NextProtos = []string{"http/1.1"}
	}
	say := state.Test.Logger.WithField("source", "console")
	return &player.Options{
		UserAgent: options.UserAgent.String, Environment: state.Test.RuntimeOptions.Env, WorkingFolder: workingFolder(), ReadFile: read, TLS: config,
		ConnectionPerRequest:   options.NoConnectionReuse.Bool,
		ConnectionPerIteration: options.NoVUConnectionReuse.Bool,
		KeepCookies:            options.NoCookiesReset.Bool,
		Warn:                   func(text string) { say.Warn(text) },
		Note:                   func(text string) { say.Info(text) },
	}, nil
}

func refuseUnknown(options lib.Options) error {
	for name, given := range map[string]bool{
		"rps": options.RPS.Int64 > 0, "hosts": options.Hosts.Valid, "blacklistIPs": len(options.BlacklistIPs) > 0,
		"blockHostnames": options.BlockedHostnames.Valid, "localIPs": options.LocalIPs.Valid,
		"httpDebug": options.HTTPDebug.Valid,
	} {
		if given {
			return fmt.Errorf("the native player does not know k6's option %s: drop it, or run k6/main.js", name)
		}
	}
	return nil
}

// refuseProxy refuses to go round a proxy that k6 would use.
func refuseProxy(base string) error {
	at, err := url.Parse(base)
	if err != nil {
		return nil // the load says what is wrong with it
	}
	proxy, err := httpproxy.FromEnvironment().ProxyFunc()(at)
	if err == nil && proxy == nil {
		return nil
	}
	return fmt.Errorf("the environment asks for a proxy (HTTP_PROXY, HTTPS_PROXY), which the native player does not use: "+
		"unset it, set NO_PROXY=%s, or run k6/main.js", at.Hostname())
}

// refusesHTTP2 reports whether the environment wants HTTP/1.1 of HTTPS, too, in the words that k6 knows.
func refusesHTTP2(lookup func(string) (string, bool)) bool {
	if lookup == nil {
		return false
	}
	settings, _ := lookup("GODEBUG")
	return slices.Contains(strings.Split(settings, ","), "http2client=0")
}

func tlsOf(options lib.Options) (*tls.Config, error) {
	config := &tls.Config{InsecureSkipVerify: options.InsecureSkipTLSVerify.Bool} //nolint:gosec // the person who runs k6 asked for it
	if options.TLSVersion != nil {
		config.MinVersion, config.MaxVersion = uint16(options.TLSVersion.Min), uint16(options.TLSVersion.Max)
	}
	if options.TLSCipherSuites != nil {
		config.CipherSuites = []uint16(*options.TLSCipherSuites)
	}
	for _, auth := range options.TLSAuth {
		certificate, err := auth.Certificate()
		if err != nil {
			return nil, err
		}
		config.Certificates = append(config.Certificates, *certificate)
	}
	return config, nil
}

// wantsOutput reports whether somebody looks at samples: k6 was asked for an output. Its own engine does not need them,
// and keeps each for good.
func wantsOutput(arguments []string, environment func(string) string) bool {
	return slices.ContainsFunc(arguments, outputFlag.MatchString) || environment("K6_OUT") != ""
}

// outputFlag is --out, or -o, which may stand behind k6's other flags of one letter and before its value: -qojson.
var outputFlag = regexp.MustCompile(`^(--out(=|$)|-[hqv]*o)`)
