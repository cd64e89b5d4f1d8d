import { endIdleConnections } from './end-idle-connections';

module.exports = endIdleConnections;
