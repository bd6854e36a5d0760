import { describeHosts } from './checks.js'
import { ownHosts } from './hosts.js'

describeHosts('hosts', ownHosts)
