import tab from '@bomb.sh/tab/commander';
import { Command } from 'commander';
import { version } from '../package.json';
import { addCart } from './commands/cart.ts';
import { addCatalog } from './commands/catalog.ts';
import { addCertify } from './commands/certify.ts';
import { addEvents } from './commands/events.ts';
import { addLogin } from './commands/login.ts';
import { addOrders } from './commands/orders.ts';
import { addReconcile } from './commands/reconcile.ts';
import { addStatements } from './commands/statements.ts';
import { addTour } from './commands/tour.ts';
import { addWallet } from './commands/wallet.ts';
import { addWebhooks } from './commands/webhooks.ts';
import { EXIT_CODES } from './exit-codes.ts';

const program = new Command('reseller')
  .description('The Partner Reseller API from the command line.')
  .version(version)
  .option('--json', 'print JSON: one value, or one a line for lists')
  .option('-p, --profile <name>', 'act as this profile instead of the current one')
  .option('--on-behalf-of <partnerId>', 'act for a partner below yours')
  .showHelpAfterError('(--help says how)')
  .addHelpText(
    'after',
    `
Exit codes: 0 done, 1 unexpected, 2 usage, 3 validation, 4 access, 5 not found, 6 conflict, 7 business rule or a difference,
8 an outage or rate limit: the same command again may succeed.

Begin with \`reseller login\`, then \`reseller tour\`.`,
  )
  .exitOverride((error) => {
    // Asking for help or the version is no error; everything else that commander refuses is a call that cannot be right.
    process.exit(error.exitCode === 0 ? 0 : EXIT_CODES.usage);
  });

for (const add of [
  addLogin,
  addTour,
  addOrders,
  addWallet,
  addCatalog,
  addCart,
  addStatements,
  addEvents,
  addWebhooks,
  addReconcile,
  addCertify,
])
  add(program);
tab(program);

// Whoever reads what is printed may have enough, as `head` has; that is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

await program.parseAsync();
