import type { CallerKind } from './caller.ts';
import { but, type Expectations, everybody } from './expectation.ts';

/** All callers, without a credential. The source does not decide whether an unknown token is refused or ignored. */
export const anyone: Expectations = but(everybody('passes'), { mcpCaller: 'open' });

/** All identified callers, with any roles. A token that is bound to no user identifies no caller on REST. */
export const everySignedIn: Expectations = but(everybody('passes'), { anonymous: 401, mcpCaller: 401 });

/** Users of a browser session or of the host: all signed-in callers except keys and tokens. */
export const everyPerson: Expectations = but(everySignedIn, {
  readKey: 403,
  executeKey: 403,
  executeKeyOfDemotedOwner: 403,
  bearerToken: 403,
});

/** Viewer or above reads lists. A list contains only records of the caller's projects. */
export const readers: Expectations = but(everySignedIn, {
  noRole: 403,
  userAdmin: 403,
  securityAdmin: 403,
  dataSourceAdmin: 403,
  auditor: 403,
  approver: 403,
  migrationOperator: 403,
});

/** Editor or above changes records that belong to no project yet; keys need Execute and an owner who may write. */
export const writers: Expectations = but(readers, {
  viewer: 403,
  readKey: 403,
  executeKeyOfDemotedOwner: 403,
});

/** Viewer or above in the project. For other callers, a record of the project does not exist. */
export const projectReaders: Expectations = but(readers, { memberOfAnotherProject: 404 });

/** Viewer or above in the project runs its saved records; keys need Execute and an owner who may write. */
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

/** Users with a functional permission, which Admins have too; never a key. */
export const adminsAnd = (...holders: readonly CallerKind[]): Expectations =>
  but(admins, Object.fromEntries(holders.map((holder) => [holder, 'passes'])));
