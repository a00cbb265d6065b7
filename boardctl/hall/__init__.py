"""Many tables seen by one director, over MQTT."""
