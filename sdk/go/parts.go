package bestow

// The parts that [WithExpand] can ask for.
const (
	// PartOrder is the order of a gift.
	PartOrder = "order"
	// PartHistory is what happened to a gift or order, and when.
	PartHistory = "history"
	// PartDeliveries are the messages about a gift.
	PartDeliveries = "deliveries"
	// PartCard is the card of a claimed gift, without its number or code.
	PartCard = "card"
)
