import { globalRoles, scopes } from '@svc/contract';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import type { Setting } from '../setting.ts';

const closed = { additionalProperties: false } as const;
const Texts = Type.Array(Type.String({ minLength: 1 }));
const ProjectIds = Type.Array(Type.Integer({ minimum: 1 }));
const wordOf = <const T extends readonly string[]>(words: T) =>
  Type.Unsafe<T[number]>({ type: 'string', enum: [...words] });
const Scope = wordOf(scopes);

const SystemCaller = Type.Object(
  {
    Name: Type.String({ minLength: 1, maxLength: 100 }),
    ClientId: Type.Optional(Type.String({ minLength: 1 })),
    ObjectId: Type.Optional(Type.String({ minLength: 1 })),
    ProjectIds,
    Scope: Type.Optional(Scope),
  },
  closed,
);
const UserCallers = Type.Object(
  {
    Enabled: Type.Optional(Type.Boolean()),
    RequiredRoles: Type.Optional(Texts),
    RequiredGroups: Type.Optional(Texts),
    AllowAnyTenantUser: Type.Optional(Type.Boolean()),
    ProjectIds: Type.Optional(ProjectIds),
    GroupProjects: Type.Optional(Type.Record(Type.String(), ProjectIds)),
    Scope: Type.Optional(Scope),
    AutoProvision: Type.Optional(Type.Boolean()),
    DefaultRoleName: Type.Optional(wordOf(globalRoles.slice(0, 2) as ['Viewer', 'Editor'])),
  },
  closed,
);
const McpCallers = Type.Object(
  {
    AllowedTenants: Type.Optional(Texts),
    Systems: Type.Optional(Type.Array(SystemCaller)),
    Users: Type.Optional(UserCallers),
  },
  closed,
);

/** Callers of the MCP endpoint with an identity provider's token, and the rights of each. */
export type McpCallers = Static<typeof McpCallers>;

/** Returns a fault of the mapping that its schema cannot express, or undefined if the mapping is valid. */
function faultOf({ Systems = [], Users = {} }: McpCallers): string | undefined {
  const names = new Set<string>();
  for (const system of Systems) {
    if ((system.ClientId === undefined) === (system.ObjectId === undefined))
      return `a mapping whose systems each have a ClientId or an ObjectId; ${system.Name} does not`;
    if (names.has(system.Name))
      return `a mapping whose systems have different names; ${system.Name} is there twice`;
    names.add(system.Name);
  }
  const isOpen =
    Users.Enabled &&
    !Users.AllowAnyTenantUser &&
    !Users.RequiredRoles?.length &&
    !Users.RequiredGroups?.length;
  return isOpen ? 'a mapping whose Users ask for a role, a group, or AllowAnyTenantUser' : undefined;
}

/** Defines the mapping of callers, as one JSON object. The start checks it completely. */
export const mcpCallersSetting: Setting<McpCallers> = {
  kind: 'map',
  description:
    'Who may call the MCP endpoint with an access token: AllowedTenants, Systems (Name, ClientId or ObjectId, ProjectIds, Scope) and Users (Enabled, RequiredRoles, RequiredGroups, ProjectIds, GroupProjects, Scope, AutoProvision, DefaultRoleName), as JSON.',
  default: {},
  defaultText: 'none',
  parse: (raw) => {
    let value: unknown = raw;
    try {
      if (typeof raw === 'string') value = JSON.parse(raw);
    } catch {
      throw new Error('a JSON object');
    }
    if (!Value.Check(McpCallers, value)) {
      const [first] = Value.Errors(McpCallers, value);
      throw new Error(
        `a mapping of callers; ${first?.instancePath || 'it'} ${first?.message ?? 'is not valid'}`,
      );
    }
    const fault = faultOf(value);
    if (fault !== undefined) throw new Error(fault);
    return value;
  },
};
