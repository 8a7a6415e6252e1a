# Reads pushes as JSON and prints which of them the Standard Webhooks library verifies.
require "json"
require "standardwebhooks"

verified = JSON.parse($stdin.read).map do |push|
  StandardWebhooks::Webhook.new(push["secret"]).verify(push["body"], push["headers"])
  true
rescue StandardWebhooks::WebhookVerificationError
  false
end
puts JSON.generate(verified)
