package bestow

// ByEmail sends a gift by email.
func ByEmail(email string) DeliveryInput { return DeliveryInput{Method: MethodEmail, Email: email} }

// ByPhone sends a gift by text message to a number in international format.
func ByPhone(phone string) DeliveryInput { return DeliveryInput{Method: MethodPhone, Phone: phone} }

// ByLink returns a link, which you hand out yourself.
func ByLink() DeliveryInput { return DeliveryInput{Method: MethodLink} }

// The results of a delivery.
const (
	Delivered      = "delivered"
	DeliveryFailed = "failed"
)

// setText sets nothing for nil, and null for an empty text.
func setText(members map[string]any, name string, text *string) {
	switch {
	case text == nil:
	case *text == "":
		members[name] = nil
	default:
		members[name] = *text
	}
}

// Ptr returns a pointer to a value, for fields of inputs whose absence has a meaning.
func Ptr[Value any](value Value) *Value { return &value }
