import { SegmentedControl, Tooltip } from '@mantine/core';
import { useMatchRoute, useNavigate } from '@tanstack/react-router';
import { useEnvironment } from '../parts/use-environment';
import type { EnvironmentName } from '../search';
import { useSpeech } from '../words/words';

/** Which world is looked at, in word and colour, and the way to the other one. */
export function EnvironmentSwitch() {
  const { words } = useSpeech();
  const environment = useEnvironment();
  const navigate = useNavigate();
  const isOrder = Boolean(useMatchRoute()({ to: '/orders/$orderGlobalId' }));
  const choose = (chosen: string): void => {
    const search = (kept: object) => ({ ...kept, environment: chosen as EnvironmentName, page: undefined });
    // An order is of one world: the other one's orders are the way on from it.
    void navigate({ to: isOrder ? '/orders' : '.', search: search as never });
  };
  return (
    <Tooltip label={environment === 'live' ? words.environment.liveMeans : words.environment.sandboxMeans}>
      <SegmentedControl
        size="xs"
        aria-label={words.environment.name}
        value={environment}
        onChange={choose}
        classNames={{ indicator: 'world-word', label: 'world-label' }}
        data={[
          { value: 'sandbox', label: words.environment.sandbox },
          { value: 'live', label: words.environment.live },
        ]}
      />
    </Tooltip>
  );
}
