// Shows the buttons that copy a value. Without scripts, or without a secure connection, they stay hidden.
const SHOWN_MS = 2_000;

for (const button of navigator.clipboard ? document.querySelectorAll('button[data-copy]') : []) {
  const label = button.querySelector('span');
  const text = label.textContent;
  button.hidden = false;
  button.addEventListener('click', async () => {
    const isCopied = await navigator.clipboard.writeText(button.dataset.copy).then(
      () => true,
      () => false,
    );
    const { copied = 'Copied', failed = 'Not copied' } = button.dataset;
    label.textContent = isCopied ? copied : failed;
    setTimeout(() => {
      label.textContent = text;
    }, SHOWN_MS);
  });
}
