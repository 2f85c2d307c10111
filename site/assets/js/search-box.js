// Shows the search of the documentation. What it searches in is a quarter of a megabyte, so it is fetched when somebody is
// about to search.
const script = /** @type {HTMLScriptElement} */ (document.currentScript);
const box = /** @type {HTMLElement} */ (document.getElementById('search'));

box.classList.add('ready');
box.addEventListener(
  'focusin',
  () => {
    const search = document.createElement('script');
    search.src = new URL(String(script.dataset.search), script.src).href;
    document.head.append(search);
  },
  { once: true },
);
