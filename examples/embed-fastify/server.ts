import { createServer } from 'node:http';
import { createSvc } from '@svc/server';
import { pagesFolder } from '@svc/web';
import { fastify } from 'fastify';
import { addMember, loginPage, membershipsOf, principalOf, signIn } from './people.ts';
import { config, database } from './settings.ts';

const svc = await createSvc({
  config,
  database,
  principal: principalOf,
  memberships: membershipsOf,
  pages: { folder: pagesFolder },
});

// The service receives each request before Fastify reads its body. It passes on requests for other paths.
const app = fastify({
  serverFactory: (ours) => {
    const server = createServer((request, response) =>
      svc.handle(request, response, () => ours(request, response)),
    );
    server.on('upgrade', (request, socket, head) => {
      if (!svc.upgrade(request, socket, head)) socket.destroy();
    });
    return server;
  },
});

app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
  done(null, Object.fromEntries(new URLSearchParams(String(body)))),
);
app.get('/', async () => 'The application. Its watched databases are under /svc.');
app.get('/login', async (_request, reply) => reply.type('text/html').send(loginPage));
app.post<{ Body: { name?: string } }>('/login', async (request, reply) => {
  const cookie = signIn(request.body.name ?? '');
  if (cookie === undefined) return reply.code(401).send('Nobody has this name.');
  return reply.header('set-cookie', cookie).redirect('/svc', 303);
});
// The application manages the members of projects; the service queries it with every request.
app.put<{ Params: { projectId: string; name: string } }>(
  '/members/:projectId/:name',
  async (request, reply) => {
    if (!principalOf(request.raw)?.roles.includes('Admin')) return reply.code(403).send();
    const membership = { projectId: Number(request.params.projectId), role: 'Editor' } as const;
    return reply.code(addMember(request.params.name, membership) ? 204 : 404).send();
  },
);
app.addHook('onClose', () => svc.close());

await svc.start();
const address = await app.listen({ host: '127.0.0.1', port: Number(process.env['PORT'] ?? 3000) });
process.stdout.write(`Listening on ${address}\n`);
process.once('SIGTERM', () => void app.close());
