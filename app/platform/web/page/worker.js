// Keeps the site for when there is no network. VERSION is a hash of all its files (app/platform/web/site.py): a new
// one comes beside the old and takes its place at the next visit.
const version = 'VERSION', files = FILES;
const own = `warplens ${registration.scope} `, name = own + version;  // one server may hold several sites

addEventListener('install', event => {
  event.waitUntil(caches.open(name).then(cache => cache.addAll(files.map(file => new Request(file, {cache: 'no-cache'})))));
});

addEventListener('activate', event => {
  event.waitUntil(caches.keys().then(names => Promise.all(
    names.filter(other => other.startsWith(own) && other !== name).map(other => caches.delete(other)))));
});

addEventListener('fetch', event => {
  const url = new URL(event.request.url);
  const ours = url.origin === location.origin && url.href.startsWith(registration.scope);
  if (!ours || event.request.method !== 'GET') return;
  event.respondWith(caches.open(name).then(cache => cache.match(event.request, {ignoreSearch: true}))
    .then(kept => kept ?? fetch(event.request)));
});
