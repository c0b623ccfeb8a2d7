import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import { paths } from '../../lib/paths.ts';
import { ProblemNote } from '../../ui/feedback/problem.tsx';
import { BarePage } from '../../ui/frame/flow.tsx';
import { useGo } from '../../ui/frame/go.ts';
import { signOut } from './requests/sign-out.ts';

/** Sign-out page. It asks for confirmation, so that a link from another site cannot sign out the user. */
export function LogoutPage() {
  const go = useGo();
  const [error, setError] = useState<unknown>(null);
  useEffect(() => {
    document.title = 'Sign out · Svc';
  }, []);
  const leave = (everywhere: boolean) =>
    signOut(everywhere).then(() => go(paths.login({ signedOut: 'yes' }), { replace: true }), setError);
  return (
    <BarePage title="Sign out" intro="Here, or in every browser where you are signed in.">
      <ProblemNote error={error} />
      <div className="row wrap">
        <Button variant="filled" onClick={() => void leave(false)}>
          Sign out
        </Button>
        <Button onClick={() => void leave(true)}>Sign out everywhere</Button>
        <Button variant="subtle" onClick={() => go(paths.home())}>
          Stay
        </Button>
      </div>
    </BarePage>
  );
}
