import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, createGzip, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { systemCode } from '../exchange.ts';
import { createHttpFetch, proxyVariables } from './http-fetch.ts';

const servers: Server[] = [];
async function serve(handler: Parameters<typeof createServer>[1]): Promise<string> {
  const server = createServer(handler as never);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

const fetch = createHttpFetch();

describe('http fetch', () => {
  it('sends and reads a body, with repeated headers joined', async () => {
    const url = await serve((request, response) => {
      response.setHeader('x-two', ['a', 'b']);
      request.pipe(response);
    });
    const response = await fetch(`${url}/echo`, { method: 'post', body: 'héllo', headers: { 'X-One': '1' } });
    expect([response.status, response.ok, response.headers.get('X-Two'), response.bodyUsed]).toEqual([
      200,
      true,
      'a, b',
      false,
    ]);
    expect(await response.text()).toBe('héllo');
    expect(response.bodyUsed).toBe(true);
  });

  it.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
  ])('reads %s', async (encoding, compress) => {
    const url = await serve((_request, response) => {
      response.setHeader('content-encoding', encoding);
      response.end(compress(JSON.stringify({ ok: '駅' })));
    });
    expect(await (await fetch(url)).json()).toEqual({ ok: '駅' });
  });

  it('hands on each event of a compressed stream as it comes', async () => {
    const url = await serve((_request, response) => {
      response.setHeader('content-encoding', 'gzip');
      const zip = createGzip();
      zip.pipe(response);
      zip.write('data: one\n\n');
      zip.flush(); // and nothing more: the stream stays open
    });
    const reader = (await fetch(url)).body.getReader();
    const { value } = await reader.read();
    expect(Buffer.from(value ?? []).toString()).toBe('data: one\n\n');
    await reader.cancel();
  });

  it('follows redirects and leaves credentials behind at another host', async () => {
    const seen: unknown[] = [];
    const other = await serve((request, response) => {
      seen.push([
        request.method,
        request.headers.authorization,
        request.headers['x-api-key'],
        request.headers['x-team'],
      ]);
      response.end('there');
    });
    const url = await serve((request, response) => {
      if (request.url === '/same') {
        seen.push(request.headers.authorization);
        response.writeHead(307, { location: other.replace('127.0.0.1', 'localhost') }).end();
      } else response.writeHead(308, { location: '/same' }).end();
    });
    const headers = { authorization: 'Bearer k', 'x-api-key': 'k', 'x-team': 'blue' };
    const response = await fetch(url, { method: 'POST', body: 'x', headers });
    expect(await response.text()).toBe('there');
    expect(response.redirected).toBe(true);
    expect(seen).toEqual(['Bearer k', ['POST', undefined, undefined, 'blue']]);
  });

  it('stops following somewhere', async () => {
    const url = await serve((_request, response) => void response.writeHead(302, { location: '/' }).end());
    expect((await fetch(url)).status).toBe(302);
  });

  it('aborts before, while waiting and while reading', async () => {
    const url = await serve((request, response) => void (request.url === '/read' && response.write('part')));
    const gone = AbortSignal.abort(new Error('gone'));
    await expect(fetch(url, { signal: gone })).rejects.toThrow('gone');
    const waiting = new AbortController();
    const pending = fetch(url, { signal: waiting.signal });
    setTimeout(() => waiting.abort(new Error('stop')), 20);
    await expect(pending).rejects.toThrow('stop');
    const reading = new AbortController();
    const response = await fetch(`${url}/read`, { signal: reading.signal });
    setTimeout(() => reading.abort(), 20);
    await expect(response.text()).rejects.toThrow();
  });

  it('names the reason of a failed connection', async () => {
    const url = await serve((_request, response) => response.destroy());
    await expect(fetch(url).catch((error) => systemCode(error))).resolves.toBe('ECONNRESET');
    const dead = await serve(() => {});
    const server = servers.pop();
    await new Promise((resolve) => server?.close(resolve));
    await expect(fetch(dead).catch((error) => [error instanceof TypeError, systemCode(error)])).resolves.toEqual([
      true,
      'ECONNREFUSED',
    ]);
    await expect(fetch('ftp://x/')).rejects.toThrow('unsupported');
  });

  it('ends a connection that stays silent', async () => {
    const url = await serve(() => {});
    const impatient = createHttpFetch({ readTimeoutMs: 50 });
    await expect(impatient(url).catch((error) => systemCode(error))).resolves.toBe('ETIMEDOUT');
  });

  it('uses a kept connection again, and survives that the server closed it meanwhile', async () => {
    const sockets = new Set<unknown>();
    const url = await serve((request, response) => {
      sockets.add(request.socket);
      response.end('ok');
      if (request.url === '/close') setImmediate(() => request.socket.destroy());
    });
    for (const path of ['/a', '/b', '/close']) expect(await (await fetch(url + path)).text()).toBe('ok');
    expect(sockets.size).toBe(1);
    expect(await (await fetch(`${url}/c`)).text()).toBe('ok');
  });

  it('goes through a proxy when told to, never for this machine', async () => {
    const proxy = await serve((request, response) => void response.end(`via proxy ${request.url}`));
    const through = createHttpFetch({ env: { http_proxy: proxy } });
    expect(await (await through('http://example.test/x')).text()).toBe('via proxy http://example.test/x');
    const direct = await serve((_request, response) => void response.end('direct'));
    expect(await (await through(direct)).text()).toBe('direct');
    expect(proxyVariables({})).toBeUndefined();
    expect(proxyVariables({ ALL_PROXY: 'http://p', https_proxy: 'http://q' })).toMatchObject({
      HTTP_PROXY: 'http://p',
      HTTPS_PROXY: 'http://q',
    });
  });

  it('leaves the bundled fetch of Node alone', async () => {
    const url = await serve((_request, response) => void response.end('{}'));
    const script = `import { createHttpFetch } from ${JSON.stringify(new URL('./http-fetch.ts', import.meta.url).href)};
      await (await createHttpFetch()(${JSON.stringify(url)})).json();
      console.log(process.moduleLoadList.filter((name) => name.includes('undici')).length);`;
    const { execFile } = await import('node:child_process');
    const output = await new Promise<string>((resolve, reject) =>
      execFile(process.execPath, ['--input-type=module', '-e', script], (error, stdout) =>
        error ? reject(error) : resolve(stdout),
      ),
    );
    expect(output.trim()).toBe('0');
  });
});
