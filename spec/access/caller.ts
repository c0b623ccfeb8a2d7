/**
 * Kinds of caller with defined rights, and the state of each in the fixture of the matrix. That fixture has one
 * restricted project. Each operation with an id uses a record of that project, unless its row states otherwise.
 */
export const callers = {
  anonymous: 'Sends no credential.',
  noRole: 'Signed in, without any role.',
  viewer: 'Signed in as a global Viewer, Viewer in the project.',
  editor: 'Signed in as a global Editor, Editor in the project.',
  projectAdmin: 'Signed in as a global Editor, ProjectAdmin of the project.',
  admin: 'Signed in as a global Admin, no member of the project.',
  superAdmin: 'Signed in as the user of the first-run setup, no member of the project.',
  userAdmin: 'Signed in with the permission UserAdmin and nothing else.',
  securityAdmin: 'Signed in with the permission SecurityAdmin and nothing else.',
  dataSourceAdmin: 'Signed in with the permission DataSourceAdmin and nothing else.',
  auditor: 'Signed in with the permission Auditor and nothing else.',
  approver: 'Signed in with the permission Approver and nothing else.',
  migrationOperator: 'Signed in with the permission MigrationOperator and nothing else.',
  hostPrincipal:
    'Authenticated by an embedding host as an Editor; user management is off, all projects open.',
  readKey: 'A key with the scope Read for the project; its owner is the editor.',
  executeKey: 'A key with the scope Execute for the project; its owner is the editor.',
  executeKeyOfDemotedOwner: 'A key with the scope Execute for the project whose owner became a Viewer.',
  bearerToken: 'An access token of an identity provider, bound to a user who is an Editor of the project.',
  mcpCaller: 'An access token that only the MCP caller mapping knows; it is bound to no user.',
  memberOfAnotherProject: 'Signed in as a global Editor, member of another project only.',
} as const;

export type CallerKind = keyof typeof callers;

export const callerKinds = Object.keys(callers) as readonly CallerKind[];
