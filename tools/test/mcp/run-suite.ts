import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { Svc } from '@svc/server';

/** Exit code and output of one run of the conformance suite. */
export type SuiteReport = { readonly code: number; readonly output: string };

const suite = path.join(
  path.dirname(createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/package.json')),
  'dist/index.js',
);

/** Runs the suite against a service. The suite sends no credential, so a proxy adds the key. */
export async function runSuite(
  svc: Pick<Svc, 'handle'>,
  authorization: string,
  options: readonly string[],
  folder: string,
): Promise<SuiteReport> {
  const server = createServer((request, response) => {
    request.headers.authorization = authorization;
    svc.handle(request, response, () => response.writeHead(404).end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  try {
    const child = spawn(
      process.execPath,
      [suite, 'server', '--url', `http://127.0.0.1:${port}/svc/mcp`, ...options],
      { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] },
    );
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (output += String(part)));
    const code = await new Promise<number>((resolve) => child.on('close', (status) => resolve(status ?? 1)));
    return { code, output };
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}
