import { Radio } from '@mantine/core';
import {
  createExternalUser,
  createInternalUser,
  ExternalUserInput,
  InternalUserInput,
  type RoleName,
} from '@svc/contract';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useForm } from '../../lib/form.ts';
import { useChange } from '../../lib/server-state.ts';
import { signInOptions } from '../../requests/session.ts';
import { toastDone } from '../../ui/feedback/toast.tsx';
import { PasswordField, TextField } from '../../ui/form/fields.tsx';
import { FormDialog } from '../../ui/form/form-dialog.tsx';
import { RolesField } from './roles-field.tsx';

type Props = { readonly onClose: () => void };
type FormProps = Props & { readonly choice: ReactNode };

type Values = {
  userName: string;
  displayName: string;
  email: string;
  roles: readonly RoleName[];
};
const initial: Values = { userName: '', displayName: '', email: '', roles: ['Viewer'] };

const personOf = ({ userName, displayName, email, roles }: Values) => ({
  userName,
  displayName: displayName === '' ? null : displayName,
  email: email === '' ? null : email,
  roles: [...roles],
});

/** Creates a user, who signs in with a password or at the identity provider. */
export function NewUserDialog({ onClose }: Props) {
  const { data: ways } = useQuery(signInOptions);
  const [kind, setKind] = useState<'password' | 'provider'>('password');
  const choice = ways?.enabled && (
    <Radio.Group label="Signs in" value={kind} onChange={(value) => setKind(value as typeof kind)}>
      <div className="row wrap" style={{ gap: 16, marginTop: 4 }}>
        <Radio value="password" label="With a password" />
        <Radio value="provider" label={`With ${ways.displayName ?? 'single sign-on'}`} />
      </div>
    </Radio.Group>
  );
  return kind === 'provider' ? (
    <ExternalUserForm onClose={onClose} choice={choice} />
  ) : (
    <InternalUserForm onClose={onClose} choice={choice} />
  );
}

/** Form for a user with a password, who must change it at the first sign-in. */
function InternalUserForm({ onClose, choice }: FormProps) {
  const create = useChange(createInternalUser);
  const form = useForm({
    schema: InternalUserInput,
    initial: { ...initial, password: '' },
    toBody: (values) => ({ ...personOf(values), password: values.password }),
    send: async (body) => {
      await create.mutateAsync({ body });
      toastDone(`${body.userName} was added.`);
      onClose();
    },
  });
  return (
    <FormDialog title="New user" form={form} act="Add user" onClose={onClose}>
      {choice}
      <TextField form={form} name="userName" label="User name" autoComplete="off" data-autofocus />
      <TextField form={form} name="displayName" label="Display name (optional)" autoComplete="off" />
      <TextField form={form} name="email" label="Email (optional)" type="email" autoComplete="off" />
      <PasswordField
        form={form}
        name="password"
        label="First password"
        description="They choose their own when they sign in with it."
        autoComplete="new-password"
      />
      <RolesField
        roles={form.values.roles}
        error={form.errorOf('roles')}
        onChange={(roles) => form.set('roles', roles)}
      />
    </FormDialog>
  );
}

/** Form for a user of the identity provider. */
function ExternalUserForm({ onClose, choice }: FormProps) {
  const create = useChange(createExternalUser);
  const form = useForm({
    schema: ExternalUserInput,
    initial: { ...initial, subject: '', issuer: '' },
    toBody: (values) => ({
      ...personOf(values),
      subject: values.subject.trim(),
      ...(values.issuer.trim() !== '' && { issuer: values.issuer.trim() }),
    }),
    send: async (body) => {
      await create.mutateAsync({ body });
      toastDone(`${body.userName} was added.`);
      onClose();
    },
  });
  return (
    <FormDialog title="New user" form={form} act="Add user" onClose={onClose}>
      {choice}
      <TextField
        form={form}
        name="subject"
        label="Id at the identity provider"
        description="The claim sub: it never changes, unlike an email address."
        autoComplete="off"
        spellCheck={false}
      />
      <TextField
        form={form}
        name="issuer"
        label="Issuer (optional)"
        description="Needed only where several identity providers are configured."
        autoComplete="off"
        spellCheck={false}
      />
      <TextField form={form} name="userName" label="User name" autoComplete="off" />
      <TextField form={form} name="displayName" label="Display name (optional)" autoComplete="off" />
      <TextField form={form} name="email" label="Email (optional)" type="email" autoComplete="off" />
      <RolesField
        roles={form.values.roles}
        error={form.errorOf('roles')}
        onChange={(roles) => form.set('roles', roles)}
      />
    </FormDialog>
  );
}
