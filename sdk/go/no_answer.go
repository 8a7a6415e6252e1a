package bestow

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"syscall"
)

// noAnswer explains an attempt without an answer of the service.
type noAnswer struct {
	message string
	// isFinal: a retry cannot help, because the address or its certificate is wrong.
	isFinal bool
}

// explainFailure explains an attempt that failed before an answer was complete.
func explainFailure(address string, err error) noAnswer {
	if err.Error() == http.StatusText(http.StatusProxyAuthRequired) {
		// As net/http words the answer of a proxy to CONNECT.
		return refusedByProxy(address)
	}
	message := fmt.Sprintf("no answer came from %s (%v)", address, err)
	return noAnswer{message: message, isFinal: isRefusedByTLS(err)}
}

func refusedByProxy(address string) noAnswer {
	message := fmt.Sprintf("no answer came from %s (HTTP 407: the proxy requires authentication)", address)
	return noAnswer{message: message, isFinal: true}
}

// explainForeign explains an answer that the service did not write. A gateway may have sent the request on before it
// answered.
func explainForeign(address string, status int, header http.Header) noAnswer {
	if status == http.StatusProxyAuthRequired {
		return refusedByProxy(address)
	}
	isRedirect := status >= 300 && status < 400
	isFinal := isRedirect || (status >= 400 && status < 500 && !slices.Contains([]int{408, 425, 429}, status))
	what := "did not come from Bestow"
	if base, err := url.Parse(address); isRedirect && err == nil {
		if target, err := base.Parse(header.Get("Location")); err == nil && header.Get("Location") != "" {
			what = "redirects to " + target.Scheme + "://" + target.Host
		}
	}
	message := fmt.Sprintf("HTTP %d of %s %s", status, address, what)
	if isFinal {
		message += "; check the BaseURL and proxies"
	}
	return noAnswer{message: message, isFinal: isFinal}
}

// explainMistyped explains an answer of the service, or of a proxy that changed it, with a value of another type than the
// client knows. The next one would be the same.
func explainMistyped(address string, err error) noAnswer {
	message := fmt.Sprintf("the answer of %s has another type than this client knows (%v)", address, err)
	return noAnswer{message: message, isFinal: true}
}

// isRefusedByTLS says that the certificate is not trusted, or that the server does not speak TLS.
func isRefusedByTLS(err error) bool {
	var certificate *tls.CertificateVerificationError
	var authority x509.UnknownAuthorityError
	var hostname x509.HostnameError
	var invalid x509.CertificateInvalidError
	var record tls.RecordHeaderError
	return errors.As(err, &certificate) || errors.As(err, &authority) || errors.As(err, &hostname) ||
		errors.As(err, &invalid) || errors.As(err, &record) || errors.Is(err, http.ErrSchemeMismatch)
}

// httpMessage is how net/http words its own errors, which have no types.
var httpMessage = regexp.MustCompile(`^(net/http|http|http2|tls|x509|malformed HTTP|proxyconnect|socks connect|gzip|failed to parse Location)\b`)

// isNetworkError tells a fault of the network from a mistake in a transport of the caller.
func isNetworkError(err error) bool {
	var network net.Error
	var number syscall.Errno
	return errors.As(err, &network) || errors.As(err, &number) || isRefusedByTLS(err) ||
		errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.ErrClosedPipe) ||
		errors.Is(err, net.ErrClosed) || httpMessage.MatchString(err.Error())
}

func isTimeout(err error) bool {
	var network net.Error
	return errors.As(err, &network) && network.Timeout()
}

// withoutURL removes what http.Client adds: the address, which the message has already.
func withoutURL(err error) error {
	var wrapped *url.Error
	if errors.As(err, &wrapped) {
		return wrapped.Err
	}
	return err
}
