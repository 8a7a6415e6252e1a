// Leads people back to the portal whose browser has been in it. The pages are the same for everyone, so that caches keep them.

function leadToPortal() {
  const list = document.querySelector('.masthead nav ul');
  const home = document.querySelector('.masthead .home');
  if (list === null || home === null || localStorage.getItem('bestow.place') === null) return;
  const link = document.createElement('a');
  link.href = `${home.getAttribute('href')}portal`;
  link.textContent = 'Portal';
  const item = document.createElement('li');
  item.append(link);
  list.append(item);
}
try {
  leadToPortal();
} catch {
  // Without storage the header stays as it is.
}
