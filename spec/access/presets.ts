import type { CallerKind } from './caller.ts';
import { but, type Expectations, everybody } from './expectation.ts';

/** Anybody, without a credential. An unknown token may be refused or passed over: the source does not say. */
export const anyone: Expectations = but(everybody('passes'), { mcpCaller: 'open' });

/** Whoever is identified, whatever the roles. A token that is bound to no user identifies nobody on REST. */
export const everySignedIn: Expectations = but(everybody('passes'), { anonymous: 401, mcpCaller: 401 });

/** Signed in by a browser session or by the host: everybody but keys and tokens. */
export const everyPerson: Expectations = but(everySignedIn, {
  readKey: 403,
  executeKey: 403,
  executeKeyOfDemotedOwner: 403,
  bearerToken: 403,
});

/** Viewer or above reads lists; what a list holds is filtered to the caller's projects. */
export const readers: Expectations = but(everySignedIn, {
  noRole: 403,
  userAdmin: 403,
  securityAdmin: 403,
  dataSourceAdmin: 403,
  auditor: 403,
  approver: 403,
  migrationOperator: 403,
});

/** Editor or above changes what belongs to no project yet; keys need Execute and an owner who may write. */
export const writers: Expectations = but(readers, {
  viewer: 403,
  readKey: 403,
  executeKeyOfDemotedOwner: 403,
});

/** Viewer or above in the project; to others a thing of the project does not exist. */
export const projectReaders: Expectations = but(readers, { memberOfAnotherProject: 404 });

/** Viewer or above in the project runs what is saved there; keys need Execute and an owner who may write. */
export const projectRunners: Expectations = but(projectReaders, {
  readKey: 403,
  executeKeyOfDemotedOwner: 403,
});

/** Editor or above in the project; keys need Execute and an owner who may write. */
export const projectWriters: Expectations = but(projectRunners, { viewer: 403 });

/** ProjectAdmin of the project, or Admin. A host's Editor is no ProjectAdmin, and neither is the keys' owner. */
export const projectAdmins: Expectations = but(projectWriters, {
  editor: 403,
  executeKey: 403,
  bearerToken: 403,
  hostPrincipal: 403,
});

/** Admins and super admins in person; never a key. */
export const admins: Expectations = but(everybody(403), {
  anonymous: 401,
  mcpCaller: 401,
  admin: 'passes',
  superAdmin: 'passes',
});

/** Holders of a functional permission, which Admins hold too; never a key. */
export const adminsAnd = (...holders: readonly CallerKind[]): Expectations =>
  but(admins, Object.fromEntries(holders.map((holder) => [holder, 'passes'])));
