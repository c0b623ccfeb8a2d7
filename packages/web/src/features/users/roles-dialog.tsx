import { type RoleName, SetUserRolesBody, setUserRoles, type User } from '@svc/contract';
import { useForm } from '../../lib/form.ts';
import { useChange } from '../../lib/server-state.ts';
import { FormDialog } from '../../ui/form/form-dialog.tsx';
import { RolesField } from './roles-field.tsx';

type Values = { roles: readonly RoleName[] };

/** Grants a user exactly the selected roles. The user's sessions end, so that revoked roles do not remain in effect. */
export function RolesDialog({ user, onClose }: { readonly user: User; readonly onClose: () => void }) {
  const change = useChange(setUserRoles);
  const initial: Values = { roles: user.grantedRoles };
  const form = useForm({
    schema: SetUserRolesBody,
    initial,
    toBody: ({ roles }) => ({ roles: [...roles] }),
    send: async (body) => {
      await change.mutateAsync({ params: { id: user.id }, body });
      onClose();
    },
  });
  return (
    <FormDialog title={`Roles of ${user.userName}`} form={form} act="Change roles" onClose={onClose}>
      <RolesField
        roles={form.values.roles}
        error={form.errorOf('roles')}
        onChange={(roles) => form.set('roles', roles)}
      />
      <p className="soft">Their sessions end with the change; roles of the identity provider stay.</p>
    </FormDialog>
  );
}
