import { Badge, type MantineColor } from '@mantine/core';
import { useSpeech } from '../words/words';

/** Green ended well, red ended badly, orange needs somebody, blue is under way, grey is over without effect. */
const COLORS: Readonly<Record<string, MantineColor>> = {
  Completed: 'green',
  Delivered: 'green',
  Approved: 'green',
  Redriven: 'green',
  Active: 'green',
  Done: 'green',
  Resolved: 'green',
  Failed: 'red',
  DeadLettered: 'red',
  Refused: 'red',
  Frozen: 'red',
  InterventionRequired: 'orange',
  Waiting: 'orange',
  Open: 'orange',
  Unknown: 'orange',
  Pending: 'blue',
  Processing: 'blue',
  Shipped: 'blue',
  Intent: 'blue',
  PartiallyDelivered: 'cyan',
  PartiallyReturned: 'grape',
  Returned: 'grape',
  Reversed: 'grape',
};

/** The colour of a status, the same wherever it is shown. */
export const colorOf = (status: string): MantineColor => COLORS[status] ?? 'gray';

/** A status in its colour and in words. */
export function StatusBadge({ status }: { readonly status: string }) {
  const { words } = useSpeech();
  const named: Readonly<Record<string, string>> = words.status;
  return (
    <Badge color={colorOf(status)} variant="light" radius="sm" tt="none" className="status">
      {named[status] ?? status}
    </Badge>
  );
}
