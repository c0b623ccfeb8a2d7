import { Link as RouterLink } from '@tanstack/react-router';
import type { ComponentProps, ReactNode } from 'react';

/** The router's link as it is used here: by path, since the paths module has made the address already. */
const UntypedLink = RouterLink as unknown as (
  props: ComponentProps<'a'> & { readonly to: string; readonly search: Record<string, string> },
) => ReactNode;

type Props = Omit<ComponentProps<'a'>, 'href' | 'children'> & {
  /** A path made by the `paths` module. */
  readonly to: string;
  readonly children?: ReactNode;
};

/** A link inside the UI. Loads the page's code when pointed at. */
export function Link({ to, children, ...rest }: Props) {
  const [path = '/', search] = to.split('?');
  return (
    <UntypedLink {...rest} to={path} search={Object.fromEntries(new URLSearchParams(search))}>
      {children}
    </UntypedLink>
  );
}
