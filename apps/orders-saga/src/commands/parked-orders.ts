import { runCommand } from '@reseller/service-kit';
import { runParkedOrdersCommand } from '../operations/parked-orders-command';

runCommand(runParkedOrdersCommand);
