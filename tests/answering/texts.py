"""Two small documents beside the samples, for the questions in `cases.jsonl`."""

FERRY = """SKERRY SOUND FERRIES
Notice to passengers
Valid from 1 May
FARES
A single crossing costs 6.20 for adults and 3.10 for children under fourteen. A bicycle
costs 2.50 on any crossing. Dogs travel free of charge if they are kept on a lead and stay
off the seats of the saloon.
TIMES
The first boat leaves Harrow Quay at 6:15 on weekdays and at 7:30 on Saturdays and Sundays.
The last boat leaves Skerry Point at 21:40, and it does not wait for late trains.
There are no crossings on the first Monday of March, because the hull is scrubbed then.
LOST PROPERTY
What is found on board is kept for 60 days in the office at Harrow Quay.
"""

ORCHARD = """# Notes on the Aldery orchard

## Beginnings

Ines Aldery planted the first forty trees in 1911 on a slope that nobody wanted. Her sons added the
cider press after the war. The oldest tree is a Bramley beside the gate, and it still bears in most
years.

## Care

Prune in February, before the sap rises. Rake up and burn fallen leaves in November, for scab spends
the winter in them. Whitewash on the trunks keeps hares away.

| Variety | Picked | Keeps until |
| --- | --- | --- |
| Discovery | August | September |
| Bramley | October | March |
| Russet | October | February |
"""
