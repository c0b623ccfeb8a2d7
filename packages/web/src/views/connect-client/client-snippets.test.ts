import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { clientSnippets, keyPlaceholder } from './client-snippets.ts';

const url = 'https://data.example.org/base/svc/mcp';
const key = 'sk-sem_0123456789abcdef';
const textOf = (id: string, ...about: Parameters<typeof clientSnippets>): string =>
  clientSnippets(...about).find((snippet) => snippet.id === id)?.text ?? '';

describe('configurations of AI clients', () => {
  it('contain the address of the endpoint, and a placeholder if no key exists', () => {
    for (const { client, text } of clientSnippets(url)) {
      expect(text, client).toContain(url);
      expect(text, client).not.toContain('sk-sem_');
    }
    expect(textOf('cursor', url)).toContain(`Bearer ${keyPlaceholder}`);
  });

  it('contain a new key, except for clients that store it elsewhere', () => {
    const holding = clientSnippets(url, key).filter(({ text }) => text.includes(key));
    expect(holding.map(({ id }) => id)).toEqual(['claude-code', 'claude-desktop', 'cursor', 'http']);
  });

  it('are valid JSON for clients that read JSON', () => {
    expect(JSON.parse(textOf('cursor', url, key)).mcpServers.svc).toEqual({
      url,
      headers: { Authorization: `Bearer ${key}` },
    });
    const desktop = JSON.parse(textOf('claude-desktop', url, key)).mcpServers.svc;
    expect(desktop.env).toEqual({ SVC_AUTHORIZATION: `Bearer ${key}` });
    // biome-ignore lint/suspicious/noTemplateCurlyInString: what the client replaces itself
    expect(desktop.args.at(-1)).toBe('Authorization:${SVC_AUTHORIZATION}');
    const code = JSON.parse(textOf('vs-code', url, key));
    expect(code.servers.svc.headers.Authorization).toBe(`Bearer \${input:${code.inputs[0].id}}`);
  });

  it('are one shell command, regardless of the characters in the address', () => {
    const address = `https://data.example.org/it's/$(touch x)/svc/mcp`;
    for (const id of ['claude-code', 'http']) {
      const command = textOf(id, address, key).replace(/^(claude|curl)/, `printf '%s\\n'`);
      const argumentLines = execFileSync('sh', ['-c', command], { encoding: 'utf8' }).split('\n');
      expect(argumentLines).toContain(address);
      expect(argumentLines).toContain(`Authorization: Bearer ${key}`);
    }
  });
});
