// Sends the code at its sixth digit, once for each page. Without scripts the button does it.
for (const form of document.querySelectorAll('.digits-form')) {
  const field = form.querySelector('[name="digits"]');
  const send = () => {
    if (!/^\d{6}$/.test(field.value)) return;
    field.removeEventListener('input', send);
    form.requestSubmit();
  };
  field.addEventListener('input', send);
}
