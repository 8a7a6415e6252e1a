// Lets Stripe show the number, expiry and security code in Stripe’s frames. Neither this page nor the service can read them.
const place = document.querySelector('#issuer-card');
const { publishableKey, card: issuingCard, keyUrl } = place.dataset;
const {
  number = 'Number',
  expires = 'Expires',
  securityCode = 'Security code',
  failed = 'The number cannot be shown now. Please load the page again in a moment.',
} = place.dataset;

/** Adds a line with a label. Returns the parent of its frame. */
function addLine(list, label, isNumber) {
  const line = list.appendChild(document.createElement('div'));
  line.className = isNumber ? 'number' : '';
  line.appendChild(document.createElement('dt')).textContent = label;
  return line.appendChild(document.createElement('dd'));
}

async function keyFor(nonce) {
  const answer = await fetch(keyUrl, { method: 'POST', body: new URLSearchParams({ nonce }) });
  if (!answer.ok) throw new Error(`The key was refused with ${answer.status}.`);
  return (await answer.json()).key;
}

async function show() {
  const stripe = window.Stripe(publishableKey);
  const { nonce, error } = await stripe.createEphemeralKeyNonce({ issuingCard });
  if (error) throw error;
  const ephemeralKeySecret = await keyFor(nonce);
  const elements = stripe.elements();
  const { color } = getComputedStyle(place);
  const options = { issuingCard, nonce, ephemeralKeySecret, style: { base: { color, fontSize: '18px' } } };
  place.replaceChildren();
  const list = place.appendChild(document.createElement('dl'));
  elements.create('issuingCardNumberDisplay', options).mount(addLine(list, number, true));
  elements.create('issuingCardExpiryDisplay', options).mount(addLine(list, expires, false));
  elements.create('issuingCardCvcDisplay', options).mount(addLine(list, securityCode, false));
}

show().catch(() => {
  place.textContent = failed;
});
