import { Button, Checkbox, PasswordInput, TextInput } from '@mantine/core';
import { LoginRequest, type SignInOptions } from '@svc/contract';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import { hosted } from '../../lib/base.ts';
import { useForm } from '../../lib/form.ts';
import { isBeside, onSite, safePath } from '../../lib/paths.ts';
import { currentUser, signIn, signInOptions } from '../../requests/session.ts';
import { ProblemNote, ProblemView } from '../../ui/feedback/problem.tsx';
import { Bar } from '../../ui/feedback/skeleton.tsx';
import { useAddress } from '../../ui/frame/address.ts';
import { BarePage } from '../../ui/frame/flow.tsx';
import { useGo } from '../../ui/frame/go.ts';
import { Icon } from '../../ui/text/icons.tsx';

/** Sign-in page: with a password, at the identity provider, or at the host application. */
export function LoginPage() {
  const land = useLanding();
  const [{ returnTo, signedOut }] = useAddress();
  const options = useQuery(signInOptions);
  const user = useQuery(currentUser);
  const target = safePath(returnTo);
  const isSignedIn = user.data?.isAuthenticated ?? false;

  useEffect(() => {
    document.title = 'Sign in · Svc';
  }, []);
  useEffect(() => {
    if (isSignedIn) land(target);
  }, [isSignedIn, target, land]);

  return (
    <BarePage
      title="Sign in"
      intro={signedOut === undefined ? undefined : <p role="status">You are signed out.</p>}
    >
      {options.isLoadingError ? (
        <ProblemView error={options.error} onRetry={() => void options.refetch()} />
      ) : options.data ? (
        <Ways options={options.data} target={target} />
      ) : (
        <Bar width="100%" height={180} />
      )}
    </BarePage>
  );
}

/** Returns a function that opens the page which the user requested before the sign-in. */
function useLanding(): (target: string) => void {
  const go = useGo();
  return useCallback(
    (target) => (isBeside(target) ? window.location.replace(hosted(target)) : go(target, { replace: true })),
    [go],
  );
}

function Ways({ options, target }: { readonly options: SignInOptions; readonly target: string }) {
  const [isFormWanted, wantForm] = useState(options.localLoginEnabled);
  const isPasswordPossible = options.localLoginEnabled || options.breakGlassEnabled;
  if (options.externalLogin) {
    return (
      <Button component="a" href={options.externalLogin.loginUrl} variant="filled">
        Continue to sign in
      </Button>
    );
  }
  return (
    <>
      {options.enabled && (
        <Button
          component="a"
          href={hosted(`/svc/api/auth/sso/challenge?returnUrl=${encodeURIComponent(onSite(target))}`)}
          variant={options.localLoginEnabled ? 'default' : 'filled'}
          leftSection={<Icon name="key" />}
        >
          Sign in with {options.displayName ?? 'SSO'}
        </Button>
      )}
      {isFormWanted && <PasswordForm target={target} />}
      {!isFormWanted && isPasswordPossible && (
        <Button variant="subtle" onClick={() => wantForm(true)}>
          Sign in with an emergency account
        </Button>
      )}
      {!options.enabled && !isPasswordPossible && (
        <p>Nobody can sign in here: no way to do so is switched on. An operator can change that.</p>
      )}
    </>
  );
}

function PasswordForm({ target }: { readonly target: string }) {
  const land = useLanding();
  const form = useForm({
    schema: LoginRequest,
    initial: { username: '', password: '', rememberMe: false },
    toBody: (values) => values,
    send: async (body) => {
      const user = await signIn(body);
      land(user.mustChangePassword ? '/settings' : target);
    },
  });
  return (
    <form className="stack" onSubmit={form.submit} noValidate>
      <ProblemNote error={form.refusal} />
      <TextInput
        label="User name"
        name="username"
        autoComplete="username"
        data-autofocus
        autoFocus
        value={form.values.username}
        error={form.errorOf('username')}
        onChange={(event) => form.set('username', event.currentTarget.value)}
      />
      <PasswordInput
        label="Password"
        name="password"
        autoComplete="current-password"
        value={form.values.password}
        error={form.errorOf('password')}
        aria-invalid={form.errorOf('password') !== undefined}
        onChange={(event) => form.set('password', event.currentTarget.value)}
        visibilityToggleButtonProps={{ 'aria-label': 'Show the password', tabIndex: 0 }}
      />
      <Checkbox
        label="Stay signed in on this device"
        checked={form.values.rememberMe}
        onChange={(event) => form.set('rememberMe', event.currentTarget.checked)}
      />
      <Button type="submit" variant="filled" loading={form.isSending}>
        Sign in
      </Button>
    </form>
  );
}
