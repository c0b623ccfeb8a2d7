import { Checkbox, Input } from '@mantine/core';
import { type RoleName, roleNames } from '@svc/contract';

const meanings: Readonly<{ [role in RoleName]: string }> = {
  Viewer: 'Reads open projects, and those they are a member of.',
  Editor: 'Writes queries and subscriptions there.',
  Admin: 'Everything, in every project.',
  UserAdmin: 'Users, members of projects, keys.',
  SecurityAdmin: 'Recipients and security settings.',
  DataSourceAdmin: 'Connects data sources.',
  Auditor: 'Reads settings, keys and the audit log.',
  Approver: 'Decides about changes that wait.',
  MigrationOperator: 'Runs data migration.',
};

type Props = {
  readonly roles: readonly RoleName[];
  readonly error: string | undefined;
  readonly onChange: (roles: readonly RoleName[]) => void;
};

/** Roles of a user. */
export function RolesField({ roles, error, onChange }: Props) {
  const toggle = (role: RoleName) =>
    onChange(roles.includes(role) ? roles.filter((other) => other !== role) : [...roles, role]);
  return (
    <fieldset className="stack-tight" style={{ border: 0, margin: 0, padding: 0 }}>
      <legend style={{ fontWeight: 600, marginBottom: 4, padding: 0 }}>Roles</legend>
      {roleNames.map((role) => (
        <Checkbox
          key={role}
          label={role}
          description={meanings[role]}
          checked={roles.includes(role)}
          onChange={() => toggle(role)}
        />
      ))}
      {error !== undefined && <Input.Error role="alert">{error}</Input.Error>}
    </fieldset>
  );
}
