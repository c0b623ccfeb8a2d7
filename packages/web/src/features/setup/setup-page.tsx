import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { paths } from '../../lib/paths.ts';
import { ProblemNote, ProblemView } from '../../ui/feedback/problem.tsx';
import { BarePage } from '../../ui/frame/flow.tsx';
import { useGo } from '../../ui/frame/go.ts';
import { setupStatus } from './requests/setup-status.ts';
import { useSetupForm } from './use-setup-form.ts';

/** First-run setup: the setup token, then the first administrator. Signs in at the end. */
export function SetupPage() {
  const go = useGo();
  const status = useQuery(setupStatus);
  const isClosed = status.data?.isOpen === false;
  useEffect(() => {
    document.title = 'Set up · Svc';
  }, []);
  useEffect(() => {
    if (isClosed) go(paths.login(), { replace: true });
  }, [isClosed, go]);
  return (
    <BarePage
      title="Create the first administrator"
      intro="The setup token was printed where the service was started, on the line that names it. Your operator may have configured it instead."
    >
      {status.isLoadingError ? (
        <ProblemView error={status.error} onRetry={() => void status.refetch()} />
      ) : (
        <SetupForm />
      )}
    </BarePage>
  );
}

function SetupForm() {
  const form = useSetupForm();
  return (
    <form className="stack" onSubmit={form.submit} noValidate>
      <ProblemNote error={form.refusal} />
      <TextInput
        label="Setup token"
        autoComplete="off"
        autoFocus
        spellCheck={false}
        styles={{ input: { fontFamily: 'var(--font-mono)' } }}
        value={form.values.setupToken}
        error={form.errorOf('setupToken')}
        onChange={(event) => form.set('setupToken', event.currentTarget.value.trim())}
      />
      <TextInput
        label="User name"
        autoComplete="username"
        value={form.values.userName}
        error={form.errorOf('userName')}
        onChange={(event) => form.set('userName', event.currentTarget.value)}
      />
      <TextInput
        label="Display name (optional)"
        autoComplete="name"
        value={form.values.displayName}
        error={form.errorOf('displayName')}
        onChange={(event) => form.set('displayName', event.currentTarget.value)}
      />
      <TextInput
        label="Email (optional)"
        type="email"
        autoComplete="email"
        value={form.values.email}
        error={form.errorOf('email')}
        onChange={(event) => form.set('email', event.currentTarget.value)}
      />
      <PasswordInput
        label="Password"
        autoComplete="new-password"
        description="At least 8 characters with upper and lower case, a digit and another sign, unless your operator chose otherwise."
        value={form.values.password}
        error={form.errorOf('password')}
        aria-invalid={form.errorOf('password') !== undefined}
        onChange={(event) => form.set('password', event.currentTarget.value)}
        visibilityToggleButtonProps={{ 'aria-label': 'Show the password', tabIndex: 0 }}
      />
      <PasswordInput
        label="Repeat the password"
        autoComplete="new-password"
        value={form.values.confirmPassword}
        error={form.errorOf('confirmPassword')}
        aria-invalid={form.errorOf('confirmPassword') !== undefined}
        onChange={(event) => form.set('confirmPassword', event.currentTarget.value)}
        visibilityToggleButtonProps={{ 'aria-label': 'Show the repeated password', tabIndex: 0 }}
      />
      <Button type="submit" variant="filled" loading={form.isSending}>
        Create administrator
      </Button>
    </form>
  );
}
