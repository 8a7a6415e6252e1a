// Sends the code at its last digit, once for each page. Without scripts the button does it.
for (const form of document.querySelectorAll('.digits-form')) {
  const field = form.querySelector('[name="digits"]');
  const send = () => {
    if (field.value.length < field.maxLength || /\D/.test(field.value)) return;
    field.removeEventListener('input', send);
    form.requestSubmit();
  };
  field.addEventListener('input', send);
}
