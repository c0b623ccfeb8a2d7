import { createHttpClient } from '@svc/testkit/client/http-client.ts';
import { setUp } from '@svc/testkit/people/people.ts';
import { startService } from '@svc/testkit/service/service.ts';
import { expect, test } from 'vitest';

test('with Svc:Mcp:Enabled false, every address of MCP gets 404', async () => {
  const svc = await startService({ config: { 'Svc:Mcp:Enabled': false } });
  const client = createHttpClient(svc.origin);
  await setUp(svc);
  for (const path of [
    '/.well-known/mcp/server-card.json',
    '/.well-known/oauth-protected-resource',
    '/svc/api/mcp/settings',
  ])
    expect((await client.get(path)).status).toBe(404);
  expect((await client.post('/svc/mcp', {})).status).toBe(404);
  await svc.close();
});

test('the documents contain the configured public origin', async () => {
  const svc = await startService({
    config: {
      'Svc:PublicBaseUrl': 'https://data.example.org',
      'Svc:Mcp:AllowedOrigins': ['https://chat.example.org'],
    },
  });
  const client = createHttpClient(svc.origin);
  const card = await client.get('/.well-known/mcp/server-card.json');
  expect(card.body.remotes[0].url).toBe('https://data.example.org/svc/mcp');
  expect(card.headers.get('cache-control')).toBe('public, max-age=3600');
  const resource = await client.get('/.well-known/oauth-protected-resource/svc/mcp');
  expect(resource.body.resource).toBe('https://data.example.org/svc/mcp');
  // Access tokens are disabled, so the document lists no authorization server.
  expect(resource.body).not.toHaveProperty('authorization_servers');
  await svc.close();
});
