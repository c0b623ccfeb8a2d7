import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createSvc } from '@svc/server';
import { pagesFolder } from '@svc/web';
import express from 'express';
import { addMember, loginPage, membershipsOf, principalOf, signIn } from './people.ts';
import { config, database } from './settings.ts';

const svc = await createSvc({
  config,
  database,
  principal: principalOf,
  memberships: membershipsOf,
  pages: { folder: pagesFolder },
});

const app = express();
app.disable('x-powered-by');
// Before every body parser: the service reads bodies itself and passes on requests for other paths.
app.use(svc.handle);
app.use(express.urlencoded({ extended: false }));
app.get('/', (_request, response) => {
  response.send('The application. Its watched databases are under /svc.');
});
app.get('/login', (_request, response) => {
  response.send(loginPage);
});
app.post('/login', (request, response) => {
  const cookie = signIn(String(request.body.name));
  if (cookie === undefined) response.status(401).send('Nobody has this name.');
  else response.setHeader('set-cookie', cookie).redirect(303, '/svc');
});
// The application manages the members of projects; the service queries it with every request.
app.put('/members/:projectId/:name', (request, response) => {
  if (!principalOf(request)?.roles.includes('Admin')) {
    response.status(403).end();
    return;
  }
  const membership = { projectId: Number(request.params.projectId), role: 'Editor' } as const;
  response.status(addMember(request.params.name, membership) ? 204 : 404).end();
});

const server = createServer(app);
server.on('upgrade', (request, socket, head) => {
  if (!svc.upgrade(request, socket, head)) socket.destroy();
});

await svc.start();
server.listen(Number(process.env['PORT'] ?? 3000), '127.0.0.1', () => {
  process.stdout.write(`Listening on http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
process.once('SIGTERM', () => {
  server.close(() => void svc.close());
  server.closeIdleConnections();
});
