package native

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"

	"go.k6.io/k6/v2/js/common"
	"go.k6.io/k6/v2/js/modules"
	"go.k6.io/k6/v2/lib"
)

func init() {
	modules.Register("k6/x/"+executorName+"/hosts", new(hostsModule))
}

// hostsModule is k6/x/benchfolio/hosts: a script reaches the hosts that its environment names, and no other. k6 itself can only
// forbid addresses, not allow some.
type hostsModule struct{}

type hostsInstance struct {
	vu modules.VU
	// guarded is the state whose connections are watched: a user has one for good
	guarded *lib.State
}

// refused is the first address that any user was refused. A WebSocket connects after its iteration: teardown asks for it too.
var refused atomic.Pointer[string]

// NewModuleInstance makes the module of a user.
func (*hostsModule) NewModuleInstance(vu modules.VU) modules.Instance { return &hostsInstance{vu: vu} }

// Exports are what the script may call.
func (i *hostsInstance) Exports() modules.Exports {
	return modules.Exports{Named: map[string]any{"only": i.only, "refused": i.refusedHost}}
}

// only lets the user connect to these hosts alone ("127.0.0.1:8080"), from now on. A request to another one fails as if nothing
// were there.
func (i *hostsInstance) only(hosts []string) {
	state := i.vu.State()
	if state == nil {
		common.Throw(i.vu.Runtime(), fmt.Errorf("benchfolio: hosts are for iterations, setup and teardown"))
	}
	if state == i.guarded {
		return
	}
	i.guarded = state
	allowed := make([]string, 0, len(hosts))
	for _, host := range hosts {
		allowed = append(allowed, sameHost(host))
	}
	check := func(address string) error {
		if slices.Contains(allowed, sameHost(address)) {
			return nil
		}
		refused.CompareAndSwap(nil, &address)
		return fmt.Errorf("benchfolio: %s is not a host of the environment", address)
	}
	state.Dialer = &hostDialer{state.Dialer, check}
	state.Transport = &hostTransport{state.Transport, check}
}

// refusedHost is the first address that was refused in this process; empty: none was.
func (i *hostsInstance) refusedHost() string {
	if address := refused.Load(); address != nil {
		return *address
	}
	return ""
}

// hostDialer is what WebSockets and gRPC connect by.
type hostDialer struct {
	lib.DialContexter
	check func(address string) error
}

func (d *hostDialer) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	if err := d.check(address); err != nil {
		return nil, err
	}
	return d.DialContexter.DialContext(ctx, network, address)
}

// ResolveAddr is k6's own, where its dialer has one.
func (d *hostDialer) ResolveAddr(address string) (net.IP, int, error) {
	if resolver, ok := d.DialContexter.(lib.AddrResolver); ok {
		return resolver.ResolveAddr(address)
	}
	return nil, 0, fmt.Errorf("benchfolio: the host %s does not resolve", address)
}

// hostTransport is what HTTP requests go through, redirects among them.
type hostTransport struct {
	http.RoundTripper
	check func(address string) error
}

func (t *hostTransport) RoundTrip(request *http.Request) (*http.Response, error) {
	address := request.URL.Host
	if request.URL.Port() == "" {
		port := "80"
		if request.URL.Scheme == "https" {
			port = "443"
		}
		address = net.JoinHostPort(request.URL.Hostname(), port)
	}
	if err := t.check(address); err != nil {
		return nil, err
	}
	return t.RoundTripper.RoundTrip(request)
}

// sameHost is one text for all names of this machine: a script says localhost where the environment says 127.0.0.1.
func sameHost(address string) string {
	host, port, err := net.SplitHostPort(strings.ToLower(address))
	if err != nil {
		return strings.ToLower(address)
	}
	if ip := net.ParseIP(host); host == "localhost" || (ip != nil && ip.IsLoopback()) {
		host = "127.0.0.1"
	}
	return net.JoinHostPort(host, port)
}
