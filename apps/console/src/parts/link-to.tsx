import { Link, type LinkProps } from '@tanstack/react-router';
import type { AnchorHTMLAttributes, ReactNode } from 'react';

type Props = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'> & {
  readonly to: LinkProps['to'];
  readonly params?: Readonly<Record<string, string>>;
  readonly filters?: Readonly<Record<string, string | number | undefined>>;
  readonly children?: ReactNode;
};

/** A link to a page of the console that stays in the environment that is looked at. */
export function LinkTo({ to, params, filters = {}, ...rest }: Props) {
  return (
    <Link
      {...(rest as object)}
      to={to}
      {...({ params } as object)}
      search={({ environment }: { environment?: unknown }) => ({ environment, ...filters }) as never}
    />
  );
}
