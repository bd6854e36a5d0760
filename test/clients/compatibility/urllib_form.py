"""Posts JSON as urlopen(url, data) does, which is the example of aria2's manual. Usage: python3 urllib_form.py URL."""

import json
import sys
from urllib.request import urlopen

request = json.dumps({"jsonrpc": "2.0", "id": "qwer", "method": "add", "params": [1, 2]})
sys.stdout.write(urlopen(sys.argv[1], request.encode()).read().decode())
