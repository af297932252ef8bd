// The app's folder /state, kept by the browser; what it writes to /downloads, handed to the person.
const database = 'warplens', files = 'files';

function open() {
  return new Promise((done, failed) => {
    const request = indexedDB.open(database, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(files);
    request.onsuccess = () => done(request.result);
    request.onerror = () => failed(request.error);
  });
}

function finished(request) {
  return new Promise((done, failed) => {
    request.onsuccess = () => done(request.result);
    request.onerror = () => failed(request.error);
  });
}

function filesBelow(fs, folder, found = new Map()) {
  for (const name of fs.readdir(folder)) {
    if (name.startsWith('.')) continue;  // also what is still being made
    const path = `${folder}/${name}`, stat = fs.stat(path);
    if (fs.isDir(stat.mode)) filesBelow(fs, path, found);
    else found.set(path, stat.mtime.getTime());
  }
  return found;
}

function makeFolder(fs, path) {
  let folder = '';
  for (const part of path.split('/').slice(1, -1)) {
    folder += `/${part}`;
    if (!fs.analyzePath(folder).exists) fs.mkdir(folder);
  }
}

export function write(fs, path, bytes) {
  makeFolder(fs, path);
  fs.writeFile(path, bytes);
}

export class Storage {
  constructor() {
    this.known = new Map();  // path -> when it was last written
    this.store = null;       // null: this browser keeps nothing, as in a private window
  }

  // `keeps`: not inside another page, whose figures would write over each other and over the person's own.
  async restore(fs, keeps) {
    fs.mkdir('/state');
    fs.mkdir('/downloads');
    fs.chdir('/downloads');  // where exports go that name no folder
    fs.mkdir('/drop');
    if (!keeps) return;
    try {
      this.store = await open();
      const all = this.store.transaction(files).objectStore(files);
      const [names, contents] = await Promise.all([finished(all.getAllKeys()), finished(all.getAll())]);
      names.forEach((name, i) => { if (String(name).startsWith('/state/')) write(fs, name, contents[i]); });
    } catch (error) {
      console.warn('Warplens keeps nothing in this browser:', error);
    }
    this.known = filesBelow(fs, '/state');
  }

  // What differs from the last time.
  keep(fs) {
    if (this.store === null) return;
    const now = filesBelow(fs, '/state');
    const changed = [...now].filter(([path, time]) => this.known.get(path) !== time).map(([path]) => path);
    const gone = [...this.known.keys()].filter(path => !now.has(path));
    this.known = now;
    if (changed.length + gone.length === 0) return;
    const all = this.store.transaction(files, 'readwrite').objectStore(files);
    for (const path of changed) all.put(fs.readFile(path), path);
    for (const path of gone) all.delete(path);
  }

  offerDownloads(fs) {
    for (const [path] of filesBelow(fs, '/downloads')) {
      const link = document.createElement('a');
      link.href = URL.createObjectURL(new Blob([fs.readFile(path)]));
      link.download = path.split('/').pop();
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 60000);
      fs.unlink(path);
    }
  }
}
