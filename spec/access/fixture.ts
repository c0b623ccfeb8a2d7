import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { RoleName } from '@svc/contract';
import type { HttpClient } from '@svc/testkit/client/http-client.ts';
import { bearerSettings, issuer, tokenOf } from '@svc/testkit/people/access-token.ts';
import { addKey, addUser, type Person, setUp, signIn, superAdmin } from '@svc/testkit/people/people.ts';
import { addProject, restrict } from '@svc/testkit/people/projects.ts';
import { setRoles } from '@svc/testkit/people/users.ts';
import { addRecipient, addSubscription, runNow } from '@svc/testkit/runs/subscribe.ts';
import { addDataSource, addQuery, startSource } from '@svc/testkit/runs/watch.ts';
import { type RunningService, startService } from '@svc/testkit/service/service.ts';
import {
  startTestProvider,
  testClient,
} from '../../packages/server/src/domains/single-sign-on/testing/provider.ts';
import { type CallerKind, callerKinds } from './caller.ts';
import type { HeaderDocument } from './declared-headers.ts';

const oidc = 'Svc:Authentication:Oidc';

/** A service with one restricted project, and one client for each kind of caller. */
export type Fixture = {
  readonly svc: RunningService;
  /** The OpenAPI document of the service. */
  readonly document: HeaderDocument;
  readonly built: ReadonlySet<string>;
  readonly root: HttpClient;
  readonly clients: Readonly<Partial<Record<CallerKind, HttpClient>>>;
  /**
   * Returns a client with a new session, for requests that end a session. A caller without a password reuses its
   * client.
   */
  readonly anew: (kind: CallerKind) => Promise<HttpClient | undefined>;
  /** An Editor and Approver, member of the project. */
  readonly functionalOwner: HttpClient;
  /** User id of the editor. */
  readonly editorId: number;
  readonly project: number;
  /** A project that is open to all readers. */
  readonly openProject: number;
  readonly dataSource: number;
  readonly query: number;
  /** A run of a subscription to the query. */
  readonly run: number;
  /** A valid connection of a data source. */
  readonly connection: Record<string, unknown>;
  /** True in the fixture of a host that owns sign-in, whose project is open. */
  readonly isOpen: boolean;
  readonly close: () => Promise<void>;
};

/** Kinds of caller that the service does not support yet; the list only shrinks. */
export const notOffered: readonly CallerKind[] = [];

/** A program in the MCP caller mapping. The fixture's project is the first project of the service and has id 1. */
const robot = { Name: 'robot', ClientId: 'robot', ProjectIds: [1] };

/** Roles of the kinds that sign in with a password, except the super admin. */
export const rolesOf: Partial<Record<CallerKind, readonly RoleName[]>> = {
  noRole: [],
  viewer: ['Viewer'],
  editor: ['Editor'],
  projectAdmin: ['Editor'],
  admin: ['Admin'],
  userAdmin: ['UserAdmin'],
  securityAdmin: ['SecurityAdmin'],
  dataSourceAdmin: ['DataSourceAdmin'],
  auditor: ['Auditor'],
  approver: ['Approver'],
  migrationOperator: ['MigrationOperator'],
  memberOfAnotherProject: ['Editor'],
};

async function addMember(client: HttpClient, project: number, userName: string, role: string): Promise<void> {
  const answer = await client.post(`/svc/api/projects/${project}/members`, { userName, role });
  if (answer.status !== 201)
    throw new Error(`${userName} did not become a member: ${answer.status} ${answer.text}`);
}

/** The operations that the service describes, as `METHOD /path`. */
function builtOperations({ paths }: HeaderDocument): ReadonlySet<string> {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  return new Set([...operations, 'GET /openapi/v1.json', 'GET /svc/help/errors']);
}

/** Runs a subscription without result rows, which sends no message. Returns the id of the run. */
async function runOnce(root: HttpClient, project: number, dataSource: number): Promise<number> {
  const queryId = await addQuery(root, project, dataSource, 'select 1 as one where false');
  const recipientId = await addRecipient(root, {
    notificationType: 'Webhook',
    destination: 'https://hooks.example.com/in',
  });
  return (await runNow(root, await addSubscription(root, { queryId, recipientIds: [recipientId] }))).id;
}

/** Cookie of the embedding host with the id of its principal. */
const hostCookie = /(?:^|; )host-user=(\w+)/;

/**
 * Builds the fixture of a host that owns sign-in: the same records in an open project, and a second process without
 * user management. Tests use only its client `hostPrincipal`.
 */
export async function createHostFixture(): Promise<Fixture> {
  const fixture = await createFixture({ isOpen: true });
  const embedded = await fixture.svc.replica(
    {
      'Svc:UserManagement:Enabled': false,
      'Svc:Authentication:Jwt:EnableBearerAuthentication': false,
      [`${oidc}:Enabled`]: false,
    },
    {
      principal: ({ headers }) => {
        const id = hostCookie.exec(headers.cookie ?? '')?.[1];
        return id === undefined ? null : { id, roles: ['Editor'] };
      },
    },
  );
  const hostPrincipal = embedded.client();
  hostPrincipal.cookies.set('host-user', 'ada');
  return { ...fixture, clients: { ...fixture.clients, hostPrincipal }, anew: async () => hostPrincipal };
}

/** Builds the fixture. The ids of the data source and of the query are 0 if their routes do not exist. */
export async function createFixture({ isOpen = false } = {}): Promise<Fixture> {
  // Users sign in with passwords. The provider only enables the routes of single sign-on.
  const provider = await startTestProvider(() => []);
  const files = mkdtempSync(path.join(os.tmpdir(), 'svc-matrix-'));
  const svc = await startService({
    config: {
      ...bearerSettings,
      'Svc:Query:FileFolders': [files],
      [`${oidc}:Enabled`]: true,
      [`${oidc}:Authority`]: provider.issuer,
      [`${oidc}:ClientId`]: testClient.id,
      [`${oidc}:ClientSecret`]: testClient.secret,
      [`${oidc}:AllowedTenants`]: ['tenant-1'],
      [`${oidc}:EnableFrontChannelLogout`]: true,
      'Svc:Mcp:Callers': { Systems: [robot] },
      'Svc:Migrations:Enabled': true,
    },
  });
  const source = await startSource();
  const root = await setUp(svc);
  const document = (await root.get('/openapi/v1.json')).read<HeaderDocument>();
  const built = builtOperations(document);
  const people: Partial<Record<CallerKind, Person>> = { superAdmin };
  const clients: Partial<Record<CallerKind, HttpClient>> = { anonymous: svc.client(), superAdmin: root };
  for (const kind of callerKinds) {
    const roles = rolesOf[kind];
    if (!roles) continue;
    const person = await addUser(svc, kind, roles);
    people[kind] = person;
    clients[kind] = await signIn(svc, person);
  }
  const { projectAdmin, editor, memberOfAnotherProject } = clients;
  if (!projectAdmin || !editor || !memberOfAnotherProject)
    throw new Error('The members of projects are missing.');
  const project = await addProject(projectAdmin, 'The project');
  const other = await addProject(memberOfAnotherProject, 'Another project');
  await addMember(root, project, 'viewer', 'Viewer');
  await addMember(root, project, 'editor', 'Editor');
  const tokenUser = { issuer, subject: 'user-1', userName: 'bearerToken', roles: ['Editor'] };
  await root.post('/svc/api/users/external', tokenUser);
  await addMember(root, project, tokenUser.userName, 'Editor');
  clients.mcpCaller = svc.client(`Bearer ${tokenOf({ sub: robot.ClientId, client_id: robot.ClientId })}`);
  clients.bearerToken = svc.client(`Bearer ${tokenOf()}`);
  const has = (operation: string) => built.has(operation);
  const dataSource = has('POST /svc/api/data-sources')
    ? await addDataSource(root, project, source.connection)
    : 0;
  const query = has('POST /svc/api/queries')
    ? await addQuery(root, project, dataSource, 'select 1 as one')
    : 0;
  if (!isOpen) await restrict(root, project);
  await restrict(root, other);
  const program = async (owner: HttpClient, scope: string) =>
    svc.client(`Bearer ${(await addKey(owner, { scopes: [scope], projects: [project] })).text}`);
  clients.readKey = await program(editor, 'Read');
  clients.executeKey = await program(editor, 'Execute');
  const demoted = await addUser(svc, 'demotedOwner', ['Editor']);
  await addMember(root, project, demoted.userName, 'Editor');
  clients.executeKeyOfDemotedOwner = await program(await signIn(svc, demoted), 'Execute');
  await setRoles(svc.database, demoted.userId, ['Viewer']);
  const functional = await addUser(svc, 'functionalOwner', ['Editor', 'Approver']);
  await addMember(root, project, functional.userName, 'Viewer');
  return {
    svc,
    document,
    built,
    root,
    clients,
    anew: async (kind) => {
      const person = people[kind];
      return person ? signIn(svc, person) : clients[kind];
    },
    functionalOwner: await signIn(svc, functional),
    editorId: (await editor.get('/svc/api/auth/me')).read<{ userId: number }>().userId,
    project,
    openProject: await addProject(root, 'The open project'),
    dataSource,
    query,
    run: await runOnce(root, project, dataSource),
    connection: source.connection,
    isOpen,
    close: async () => {
      await svc.close();
      await provider.close();
      await source.close();
      rmSync(files, { recursive: true });
    },
  };
}
