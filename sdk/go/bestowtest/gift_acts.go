package bestowtest

import "cmp"

const (
	alreadyRedeemed  = "gift_already_redeemed"
	notUpdatable     = "gift_delivery_not_updatable"
	notSimulatable   = "gift_delivery_not_simulatable"
	notClaimed       = "gift_not_claimed"
	alreadyDelivered = "gift_already_delivered"
	becauseCanceled  = "gift_canceled"
	becauseScheduled = "gift_scheduled"
	mostResends      = 5
)

func (one *gift) requireResends() *refusal {
	if one.resends >= mostResends {
		return refuse("gift_resend_limit_reached")
	}
	return nil
}

// requireOpen refuses what a caller cannot do any more, or not yet.
func (one *gift) requireOpen(mayWait bool) *refusal {
	switch {
	case one.canceledAt != "":
		return refuse(becauseCanceled)
	case one.claimedAt != "":
		return refuse(alreadyRedeemed)
	case !mayWait && one.state() == "waiting":
		return refuse(becauseScheduled)
	}
	return nil
}

// requireUsable refuses what the recipient could not do.
func (one *gift) requireUsable(whileWaiting, onceCanceled string) *refusal {
	switch {
	case one.canceledAt != "":
		return refuse(onceCanceled, "reason", becauseCanceled)
	case one.state() == "waiting":
		return refuse(whileWaiting, "reason", becauseScheduled)
	}
	return nil
}

// giftActs are what each operation does to a gift.
var giftActs = map[string]func(*memory, *gift, object) *refusal{
	"cancelGift": func(kept *memory, one *gift, body object) *refusal {
		if one.canceledAt != "" {
			return nil
		}
		if refused := one.requireOpen(true); refused != nil {
			return refused
		}
		kept.cancel(one, body["reason"])
		return nil
	},
	"redirectGift": redirect,
	"replaceGiftLink": func(kept *memory, one *gift, _ object) *refusal {
		if refused := cmp.Or(one.requireOpen(false), one.requireResends()); refused != nil {
			return refused
		}
		if !one.isLink() {
			kept.sendAgain(one, "link_replaced", effectOf(one.delivery))
			return nil
		}
		kept.replaceLink(one)
		one.resends++
		kept.emitOf("gift.redirected", one, object{
			"reason": "link_replaced", "delivery": object{"status": one.status()},
		})
		return nil
	},
	"resendGift": func(kept *memory, one *gift, _ object) *refusal {
		if refused := one.requireOpen(false); refused != nil {
			return refused
		}
		if one.isLink() {
			return refuse(notUpdatable)
		}
		if refused := one.requireResends(); refused != nil {
			return refused
		}
		kept.sendAgain(one, "resent", effectOf(one.delivery))
		return nil
	},
	"scheduleGift": schedule,
	"simulateDelivery": func(kept *memory, one *gift, body object) *refusal {
		if one.isLink() {
			return refuse(notSimulatable)
		}
		if refused := one.requireUsable(notSimulatable, alreadyDelivered); refused != nil {
			return refused
		}
		outcome, _ := body["outcome"].(string)
		hasFailed := one.status() == "failed"
		switch {
		case hasFailed && outcome == "failed":
			return nil
		case !hasFailed && !(one.status() == "sent" && one.isPending):
			return refuse(alreadyDelivered)
		}
		kept.settle(one, outcome)
		return nil
	},
	"simulateOpen": func(kept *memory, one *gift, _ object) *refusal {
		refused := one.requireUsable(notSimulatable, alreadyRedeemed)
		if refused == nil {
			kept.open(one)
		}
		return refused
	},
	"simulateClaim": func(kept *memory, one *gift, _ object) *refusal {
		if refused := one.requireUsable(alreadyRedeemed, alreadyRedeemed); refused != nil {
			return refused
		}
		if one.claimedAt != "" {
			return refuse(alreadyRedeemed)
		}
		kept.claim(one)
		return nil
	},
	"simulateSpend": func(kept *memory, one *gift, _ object) *refusal {
		if one.canceledAt != "" {
			return refuse(notClaimed, "reason", becauseCanceled)
		}
		if one.claimedAt == "" {
			return refuse(notClaimed)
		}
		kept.spend(one)
		return nil
	},
}

func redirect(kept *memory, one *gift, body object) *refusal {
	delivery := readDelivery(body)
	isSame, isWaiting := addressOf(delivery) == addressOf(one.delivery), one.state() == "waiting"
	switch {
	case one.canceledAt != "":
		return refuse(notUpdatable, "reason", becauseCanceled)
	case one.resends > 0 && isSame && one.status() == "sent" && (one.isPending || isWaiting):
		return nil // It is under way.
	case one.status() != "failed" && !isWaiting:
		return refuse(notUpdatable)
	case one.requireResends() != nil:
		return one.requireResends()
	case isSame:
		return invalid(delivery["method"], "is the address that the gift has. Send a different one")
	}
	one.delivery = delivery
	if isWaiting {
		one.resends++
		kept.emitOf("gift.redirected", one, object{"reason": "redirected", "delivery": object{"status": "sent"}})
		return nil
	}
	kept.sendAgain(one, "redirected", effectOf(delivery))
	return nil
}

func schedule(kept *memory, one *gift, body object) *refusal {
	text, _ := body["send_at"].(string)
	moment, refused := kept.readSendAt(text, "send_at")
	if refused != nil {
		return refused
	}
	if refused := one.requireOpen(true); refused != nil {
		return refused
	}
	if one.state() != "waiting" {
		return refuse("gift_not_scheduled")
	}
	one.scheduledFor = moment
	if moment <= kept.now() {
		kept.send(one, effectOf(one.delivery))
	}
	return nil
}
