// Charts are pictures in the page. The script that makes them live is half a megabyte, so it is fetched when somebody
// points at a chart, touches it, or has scrolled to one.
const script = /** @type {HTMLScriptElement} */ (document.currentScript);

let fetched = false;

function fetchCharts() {
  if (fetched) return;
  fetched = true;
  const charts = document.createElement('script');
  charts.src = new URL(String(script.dataset.charts), script.src).href;
  document.head.append(charts);
}

const figures = document.querySelectorAll('[data-chart]');
for (const figure of figures) {
  for (const event of ['pointerenter', 'touchstart', 'focusin']) {
    figure.addEventListener(event, fetchCharts, { once: true, passive: true });
  }
}

addEventListener(
  'scroll',
  () => {
    const seen = new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && fetchCharts());
    for (const figure of figures) seen.observe(figure);
  },
  { once: true, passive: true },
);
