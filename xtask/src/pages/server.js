// Serves the rendered pages on this machine as the gateway would, with their policy, and keeps what
// was posted. It must not answer for another host.

import { createServer } from 'node:http';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { PAGES, STYLE } from './faults.js';

export async function serve(folder) {
  const policy = readFileSync(join(folder, 'policy.txt'), 'utf8');
  const styles = new Map([
    ['/checkout.css', readFileSync(join(folder, 'checkout.css'))],
    ['/fault.css', STYLE],
  ]);
  const files = readdirSync(folder).filter((file) => file.endsWith('.html'));
  const views = new Map(files.map((file) => [`/${file}`, readFileSync(join(folder, file))]));
  const posted = [];
  const loaded = [];
  const server = createServer((request, response) => {
    const path = new URL(request.url, 'http://page').pathname;
    const page = views.get(path) ?? PAGES.get(path);
    if (request.method === 'POST' && page) {
      let body = '';
      request.on('data', (part) => (body += part));
      request.on('end', () => {
        posted.push({ path, body });
        response.writeHead(303, { Location: path }).end();
      });
    } else if (request.method === 'GET' && styles.has(path)) {
      response.writeHead(200, { 'Content-Type': 'text/css; charset=utf-8' }).end(styles.get(path));
    } else if (request.method === 'GET' && page) {
      loaded.push(path);
      const headers = {
        'Content-Type': 'text/html; charset=utf-8',
        'Content-Security-Policy': policy,
        'X-Content-Type-Options': 'nosniff',
        'Cache-Control': 'no-store',
      };
      response.writeHead(200, headers).end(page);
    } else {
      response.writeHead(404).end();
    }
  });
  await new Promise((ready) => server.listen(0, '127.0.0.1', ready));
  const origin = `http://127.0.0.1:${server.address().port}`;
  return { origin, names: [...views.keys()].sort(), posted, loaded, close: () => server.close() };
}
