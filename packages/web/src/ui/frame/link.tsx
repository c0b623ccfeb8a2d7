import { Link as RouterLink } from '@tanstack/react-router';
import type { ComponentProps, ReactNode } from 'react';

/** Router link with plain string paths, because the paths module has already built the address. */
const UntypedLink = RouterLink as unknown as (
  props: ComponentProps<'a'> & { readonly to: string; readonly search: Record<string, string> },
) => ReactNode;

type Props = Omit<ComponentProps<'a'>, 'href' | 'children'> & {
  /** Path from the `paths` module. */
  readonly to: string;
  readonly children?: ReactNode;
};

/** Link inside the UI. Loads the page's code on hover. */
export function Link({ to, children, ...rest }: Props) {
  const [path = '/', search] = to.split('?');
  return (
    <UntypedLink {...rest} to={path} search={Object.fromEntries(new URLSearchParams(search))}>
      {children}
    </UntypedLink>
  );
}
