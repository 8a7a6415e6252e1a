# Reads pushes as JSON and prints which of them the Standard Webhooks library verifies.
import json
import sys

from standardwebhooks import Webhook, WebhookVerificationError


def is_verified(push) -> bool:
    try:
        Webhook(push["secret"]).verify(push["body"], push["headers"])
        return True
    except WebhookVerificationError:
        return False


print(json.dumps([is_verified(push) for push in json.load(sys.stdin)]))
