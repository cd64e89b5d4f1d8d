import type { Schemas } from '../api/client';
import { Part } from '../parts/part';
import { useSpeech } from '../words/words';

const [WIDTH, HEIGHT] = [600, 120];

/** The balance after each line, over time; newest lines come first. */
export function BalanceChart({ lines }: { readonly lines: readonly Schemas['LedgerLine'][] }) {
  const { words, formats } = useSpeech();
  const [newest] = lines;
  const oldest = lines.at(-1);
  if (!newest || !oldest || lines.length < 2) return null;
  const [from, to] = [Date.parse(oldest.timestamp), Date.parse(newest.timestamp)];
  const highest = Math.max(...lines.map(({ balanceAfter }) => balanceAfter), 0.01);
  const x = (at: string): number => ((Date.parse(at) - from) / Math.max(1, to - from)) * WIDTH;
  const y = (balance: number): number => HEIGHT - (balance / highest) * (HEIGHT - 4) - 2;
  // A balance holds until the next line: steps, and no slopes between.
  const steps = lines.toReversed().map(({ timestamp, balanceAfter }, index) => {
    const across = `H${x(timestamp).toFixed(1)}`;
    return index === 0 ? `M0 ${y(balanceAfter).toFixed(1)}` : `${across}V${y(balanceAfter).toFixed(1)}`;
  });
  const said = `${words.wallet.overTime}: ${formats.money(oldest.balanceAfter)} – ${formats.money(newest.balanceAfter)}`;
  return (
    <Part title={words.wallet.overTime}>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={said}
        className="balance"
      >
        <path
          d={steps.join('')}
          fill="none"
          stroke="currentColor"
          strokeWidth="2"
          vectorEffect="non-scaling-stroke"
        />
      </svg>
      <div className="balance-axis">
        <span>{formats.moment(oldest.timestamp)}</span>
        <span>{words.overview.highest(formats.money(highest))}</span>
        <span>{formats.moment(newest.timestamp)}</span>
      </div>
    </Part>
  );
}
