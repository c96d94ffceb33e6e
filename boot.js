// Loads the page's WebAssembly. A file of its own, because the content security policy allows no inline script, and a
// classic script, because a module would not even start on file:// and could not say why.
(() => {
  'use strict';

  const crash = document.getElementById('crash');
  crash.querySelector('button').addEventListener('click', () => location.reload());

  const say = (words, details) => {
    document.getElementById('loading')?.remove();
    // The panic hook knows better than we do: what it has shown stays.
    if (!crash.hidden) return;
    crash.querySelector('p').textContent = words;
    crash.querySelector('pre').textContent = details;
    crash.hidden = false;
  };

  const start = async () => {
    if (location.protocol === 'file:') {
      throw new Error('A browser loads no WebAssembly from file://. Serve this folder over HTTP: make serve.');
    }
    if (typeof WebAssembly !== 'object') {
      throw new Error('This browser has no WebAssembly, or it is switched off.');
    }
    const page = await import('./callsheet.js');
    await page.default();
    document.getElementById('loading')?.remove();
  };

  start().catch((error) => {
    console.error(error);
    say('Callsheet could not be started. Reload to try again.', String(error));
  });
})();
